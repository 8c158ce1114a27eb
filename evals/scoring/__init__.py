"""One reading against another: who is who, what was found, what is right, with what certainty."""
