import type { Page } from 'playwright-core'
import { CHANNEL } from './open-app.ts'

/** Calls that a page may make of its own worker, and of the tab that mines; an attacker tries them all from outside. */
const calls = [
  ...[
    'prepare',
    'seal',
    'storeUnprotected',
    'words',
    'coverWords',
    'answerQuiz',
    'setStep',
    'inspect',
    'importFile',
  ],
  ...['unlock', 'verify', 'consent', 'lock', 'cover', 'exportKey', 'exportFile', 'forget', 'wallet', 'state'],
  ...['passkey', 'addPasskey', 'removePasskey'],
  ...[
    'start',
    'stop',
    'setAgent',
    'setPolicy',
    'resync',
    'preparePayment',
    'approvePayment',
    'declinePayment',
  ],
  ...['getBalance', 'requestTestCoins', 'constructor', '__proto__', 'toString'],
]
const kinds = [
  'state',
  'yield',
  'whoOwns',
  'accountChanged',
  'answer',
  'failure',
  'open',
  'conditions',
  'awake',
]

/** Messages that the other tabs sent over the channel during the attack. */
export type Heard = {
  readonly sent: number
  readonly text: string
  readonly prepared: number
  readonly paid: number
}

/**
 * Sends every kind of message and every call that the app knows from a page of its origin, payments with forged
 * consent among them, and returns everything that was said meanwhile.
 */
export const forgeMessages = (page: Page, recipient: string): Promise<Heard> =>
  page.evaluate(
    async ({ name, to, callNames, messageKinds }) => {
      const channel = new BroadcastChannel(name)
      const heard: { readonly type: string; readonly id?: number; readonly value?: unknown }[] = []
      channel.onmessage = ({ data }) => heard.push(data)
      const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
      let sent = 0
      const post = (message: object): void => {
        sent++
        channel.postMessage(message)
      }
      const call = (called: string, parameters: unknown): number => {
        post({ type: 'call', from: 'attacker', id: sent, name: called, parameters })
        return sent - 1
      }
      const answerTo = async (id: number) => {
        for (let turn = 0; turn < 100; turn++) {
          const found = heard.find(
            (one) => one.id === id && (one.type === 'answer' || one.type === 'failure'),
          )
          if (found !== undefined) return found
          await pause(50)
        }
        return undefined
      }
      const passwords = [[], [''], ['0'], [{}], [null], [true]]
      for (const called of callNames) {
        if (called === 'preparePayment' || called === 'approvePayment' || called === 'stop') continue
        for (const list of passwords) call(called, { parameters: list })
        call(called, undefined)
      }
      for (const type of messageKinds) {
        post({ type })
        post({
          type,
          to: 'attacker',
          id: 0,
          value: true,
          hasKey: false,
          state: { account: { status: 'none' } },
        })
      }
      const order = { to, amount: 1_000_000_000n, memo: '' }
      const proofs = [
        undefined,
        null,
        '',
        '0'.repeat(64),
        'f'.repeat(64),
        'F'.repeat(64),
        {},
        true,
        ['0'.repeat(64)],
      ]
      let [prepared, paid] = [0, 0]
      for (const [index, proof] of proofs.entries()) {
        const ticket = `forged ${index}`
        const extra = { consent: true, wallet: {}, idempotencyKey: 'x', feeCap: { shareBps: 10_000n } }
        const ready = await answerTo(call('preparePayment', { ticket, parameters: { ...order, ...extra } }))
        if (ready?.type !== 'answer') continue
        prepared++
        const summary = ready.value as { readonly signingHash?: string }
        for (const tried of [proof, summary.signingHash, summary]) {
          const answer = await answerTo(
            call('approvePayment', { ticket, proof: tried, parameters: [summary, ''] }),
          )
          if (answer?.type === 'answer') paid++
        }
        call('declinePayment', ticket)
      }
      await pause(2_000)
      channel.close()
      const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
      return { sent, text: JSON.stringify(heard, plain), prepared, paid }
    },
    { name: CHANNEL, to: recipient, callNames: calls, messageKinds: kinds },
  )
