"""The program of the child processes: it parses files, renders and recognises pages."""
