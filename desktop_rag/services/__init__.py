"""Library and Assistant: the two doors that the command line, the window and any client use."""
