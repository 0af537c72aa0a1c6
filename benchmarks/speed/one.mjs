// node --expose-gc benchmarks/speed/one.mjs NAME [--quick]: the rows of one benchmark, as JSON. A process of its own, so that
// what the others warmed up, compiled and left in the heap does not count.
const [name, quick] = process.argv.slice(2);
const { measure } = await import(`../${name}/measure.mjs`);
const rows = await measure(quick === "--quick");
// Engines keep threads, which would keep the process.
process.stdout.write(JSON.stringify(rows), () => process.exit(0));
