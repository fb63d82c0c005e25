// `npm start`: install, build, then the network with its agent, miner and sample app.
import { spawn } from 'node:child_process'
import { build, install, root } from './bootstrap.mjs'

install()
build('@hailstone/demo...')
const child = spawn(process.execPath, ['apps/demo/dist/main.js', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
