// A process that takes the lock it is given: `hold` keeps it until it is killed, `race` takes it as often as it can.
import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { takeFileLock } from '@hailstone/runtime/node'

const [, , act, lock, inside, rounds] = process.argv
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)

async function hold() {
  const taken = await takeFileLock(lock)
  say('release' in taken ? { taken: true, kind: taken.kind, processId: process.pid } : taken)
  if ('release' in taken) setInterval(() => undefined, 1000)
}

/** Nobody else may be inside while this process has the lock. */
async function race() {
  let taken = 0
  for (let round = 0; round < Number(rounds); round++) {
    const lockOrHolder = await takeFileLock(lock)
    if ('release' in lockOrHolder) {
      writeFileSync(inside, String(process.pid), { flag: 'wx' })
      taken++
      await delay(Math.random() * 3)
      rmSync(inside)
      await lockOrHolder.release()
    }
  }
  say({ taken })
}

await { hold, race }[act]()
