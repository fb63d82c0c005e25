import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stampText } from './clock-text.ts'
import { flagOf, type Given } from './command-line.ts'
import { takeHangups } from './config/hold-hangups.ts'
import { ENVIRONMENT_KEY } from './environment-key.ts'
import { type Exit, exits } from './exit-codes.ts'
import { SHOW_CURSOR } from './live-screen.ts'
import { judgeEnd, type ProcessEnd, type Verdict } from './restart-policy.ts'
import { SUPERVISED, watchSignals } from './signals.ts'
import type { Terminal } from './terminal.ts'
import { walletOfOptions } from './wallet-of-options.ts'
import { withEndings } from './with-endings.ts'

/**
 * Mines in a process of its own, and starts it again when it dies: out of memory, killed or crashed. The key is read
 * here, once, and goes to each miner through a pipe.
 *
 * @param flags options of the command line alone: the miner reads the configuration file itself, and again at SIGHUP
 */
export async function supervise(
  given: Given<'mine'>,
  flags: Given<'mine'>,
  terminal: Terminal,
): Promise<Exit> {
  const wallet = await walletOfOptions(given, terminal)
  return withEndings(async (atEnd) => {
    let miner: ChildProcess | undefined
    // However this process ends, its miner does not outlive it; where it cannot say so, the channel closes.
    const kill = (): void => void miner?.kill('SIGKILL')
    process.on('exit', kill)
    atEnd(() => process.off('exit', kill))
    const interruption = watchSignals()
    atEnd(interruption.release)
    const { signal } = interruption
    if (flags.config !== undefined) atEnd(takeHangups(() => void miner?.kill('SIGHUP')))
    signal.addEventListener('abort', () => void miner?.kill('SIGTERM'))

    // A receiver of payouts is confirmed by the person who starts this, and not by what starts after a death.
    const again = { ...flags, payoutConfirm: undefined }
    for (let deaths = 0, options = flags; ; options = again) {
      const startedAt = performance.now()
      miner = startMiner(options)
      const end = await lifeOf(miner, wallet.exportPrivateKey())
      if (signal.aborted) return exits.ok
      const verdict = judgeEnd(end, deaths, performance.now() - startedAt)
      tell(verdict, terminal)
      if (verdict.kind !== 'restart') return verdict.exit
      deaths = verdict.deaths
      await sleep(verdict.waitMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return exits.ok
    }
  })
}

/** Beside this file where `tsc` writes it as well as in the bundle; a test starts it. */
const bin = fileURLToPath(new URL('./bin.js', import.meta.url))

/** Options that are for this process alone. */
const OWN_OPTIONS = new Set(['supervise', 'keyFile', 'keyStdin', 'passwordFile'])

function startMiner(given: Given<'mine'>): ChildProcess {
  const options = Object.entries(given).flatMap(([name, value]) => {
    if (OWN_OPTIONS.has(name) || value === undefined || value === false) return []
    if (value === true) return [flagOf(name)]
    return [value].flat().map((one) => `${flagOf(name)}=${one}`)
  })
  const { [ENVIRONMENT_KEY]: _, ...env } = process.env
  return spawn(process.execPath, [...process.execArgv, bin, 'mine', '--key-stdin', ...options], {
    env: { ...env, [SUPERVISED]: '1' },
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  })
}

/** Hands the key over and waits for the end. */
function lifeOf(miner: ChildProcess, key: string): Promise<ProcessEnd> {
  // One that dies at once reads nothing.
  miner.stdin?.on('error', () => undefined)
  miner.stdin?.end(`${key}\n`)
  return new Promise((resolve) => {
    miner.once('exit', (code, signal) => resolve({ code, signal }))
    miner.once('error', () => {
      if (miner.pid === undefined) resolve({ code: null, signal: null })
    })
  })
}

function tell(verdict: Verdict, terminal: Terminal): void {
  if (verdict.kind === 'end') return
  const { reason } = verdict
  const { manner } = terminal
  if (manner === 'live') terminal.write(SHOW_CURSOR)
  if (verdict.kind === 'restart') {
    const { waitMs, deaths } = verdict
    if (manner === 'json') terminal.tell({ event: 'minerDied', reason, waitMs, deaths })
    else
      terminal.warn(`${stampText()}  The miner died: ${reason}. It is started again in ${waitMs / 1_000} s.`)
    return
  }
  const { meaning, nextStep, name: code, number: exitCode } = verdict.exit
  const message = `${meaning} The last time ${reason}.`
  if (manner === 'json') terminal.tell({ event: 'error', code, message, nextStep, exitCode })
  else for (const line of [message, `→ ${nextStep}`]) terminal.warn(line)
}
