// Runs one built program of the workspace: `node apps/demo/run.mjs PACKAGE FILE [argument…]`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, install, root } from './bootstrap.mjs'

const [packageName, file, ...parameters] = process.argv.slice(2)
install()
build(`${packageName}...`)
const child = spawn(process.execPath, [join(root, file), ...parameters], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
