"""The program of the child processes: it parses files and renders pages."""
