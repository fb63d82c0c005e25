import { writeFileSync } from 'node:fs'
import { outliveTerminal } from '@hailstone/runtime/node'

const [mark] = process.argv.slice(2)
outliveTerminal()
// More than any pipe or terminal holds.
if (mark === undefined) console.log('up')
else for (let line = 0; line < 4_000; line++) console.log('x'.repeat(1_000))
if (mark !== undefined) writeFileSync(mark, 'on')
setInterval(() => {}, 1_000)
