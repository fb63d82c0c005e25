// Starts over a chain, pays accounts and asks for balances, as its own process. It prints times in ms, each of them a mean
// but the first, and its largest memory in MB.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { startLocalNetwork } from '../dist/index.js'

const { database, id } = JSON.parse(process.argv[2])
const md5 = (text) => createHash('md5').update(text).digest('hex')
const accountAt = (number) => `02${md5(String(number))}${md5(`more ${number}`)}`
const timed = async (times, step) => {
  const began = performance.now()
  for (let at = 0; at < times; at++) await step(at)
  return Math.round(((performance.now() - began) / times) * 10) / 10
}
const began = performance.now()
const network = await startLocalNetwork({ database, apiPort: 0, gatewayPort: 0, blockTimeMs: 3_600_000 })
const startMs = Math.round(performance.now() - began)
const closeMs = await timed(30, (at) => network.control.fund(accountAt(1 + at * 4001), 1_000_000_000n))
const answerMs = await timed(3000, async (at) => {
  const answer = await fetch(`${network.apiUrl}/balance?id=${accountAt(1 + at * 41)}&token=${id}`)
  await answer.text()
})
await network.stop()
const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))
process.stdout.write(JSON.stringify({ startMs, closeMs, answerMs, residentMb: Math.round(kilobytes / 1024) }))
