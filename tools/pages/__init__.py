"""Pages of the documentation that show what programs print, kept true by running the programs."""
