// Runs one built program of the workspace: `node scripts/run.mjs PACKAGE FILE [argument…]`.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, install, root } from './bootstrap.mjs'

const [packageName, file, ...parameters] = process.argv.slice(2)
install()
build(`${packageName}...`)
// In this process: signals and exit code are the program's own.
const path = join(root, file)
process.argv = [process.execPath, path, ...parameters]
await import(pathToFileURL(path).href)
