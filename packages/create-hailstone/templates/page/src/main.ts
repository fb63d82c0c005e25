import type { ToPage, ToWorker } from './messages.ts'

const worker = new Worker(new URL('./miner-worker.ts', import.meta.url), { type: 'module' })
const send = (message: ToWorker): void => worker.postMessage(message)

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no element ${id}.`)
  return found
}
const show = (id: string, text: string): void => element(id).replaceChildren(text)

let isRunning = false

worker.addEventListener('error', ({ message }) => show('fault', message || 'The miner could not be loaded.'))

worker.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === 'address') show('address', data.address)
  if (data.kind === 'fault') show('fault', data.sentence)
  if (data.kind === 'reward') {
    const line = document.createElement('li')
    line.textContent = `${data.amount} in block ${data.height ?? '—'}`
    element('rewards').prepend(line)
  }
  if (data.kind === 'state') {
    isRunning = data.status !== 'idle' && data.status !== 'stopped'
    show('balance', data.balance)
    show('state', data.why === '' ? data.status : data.why)
    show('start', isRunning ? 'Stop mining' : 'Start mining')
  }
})

element('start').addEventListener('click', () => {
  show('fault', '')
  send({ kind: isRunning ? 'stop' : 'start' })
})
