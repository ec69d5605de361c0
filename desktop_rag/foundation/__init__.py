"""What everything stands on: paths, settings, logs, errors, cancellation, language."""
