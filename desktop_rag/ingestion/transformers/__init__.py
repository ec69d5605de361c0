"""What may change documents and segments on their way in."""
