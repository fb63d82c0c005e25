// Imports every entry it is named and says how many names each exports.
const counts = {}
for (const name of process.argv.slice(2)) counts[name] = Object.keys(await import(name)).length
process.stdout.write(JSON.stringify(counts))
