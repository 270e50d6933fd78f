"""The result file: append-only writer, reader, checks, lock."""
