// `npm run create -- FOLDER [options]`: makes a project from a template with the packages of this clone, in the folder
// from which npm was called.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './bootstrap.mjs'
import { pack, packedFolder } from './pack.mjs'

await pack(packedFolder)
const { INIT_CWD: calledFrom = process.cwd() } = process.env
process.chdir(calledFrom)
// In this process: signals, questions and exit code are the program's own.
const path = join(root, 'packages', 'create-hailstone', 'dist', 'bin.js')
process.argv = [process.execPath, path, '--packages', packedFolder, ...process.argv.slice(2)]
await import(pathToFileURL(path).href)
