// Loaded into the relay before all else: its standard streams are a terminal to it, as far as it uses one,
// and what is written to them are keys.
process.stdin.isTTY = process.stdout.isTTY = true;
process.stdin.setRawMode = () => process.stdin;
