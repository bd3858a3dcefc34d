"""升级: levels, penalties and the re-summing of a match."""
