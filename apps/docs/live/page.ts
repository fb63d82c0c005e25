import type { Line, Order } from './protocol.ts'

const form = document.querySelector<HTMLFormElement>('#live')
const list = document.querySelector('#live-lines')
const hint = document.querySelector<HTMLElement>('#live-hint')
const button = form?.querySelector('button')

if (form && list && hint && button) {
  button.disabled = false
  let worker: Worker | undefined
  const show = ({ text, isReward, isOver }: Line): void => {
    const item = document.createElement('li')
    item.textContent = text
    if (isReward) item.className = 'reward'
    list.append(item)
    if (isOver) stop()
  }
  const stop = (): void => {
    worker?.terminate()
    worker = undefined
    hint.hidden = list.querySelector('.reward') !== null
    button.textContent = 'Mine'
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (worker !== undefined) {
      stop()
      return
    }
    const given = new FormData(form)
    const order: Order = { apiUrl: String(given.get('api')), gatewayUrl: String(given.get('gateway')) }
    list.replaceChildren()
    hint.hidden = true
    button.textContent = 'Stop'
    worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<Line>) => show(data))
    worker.addEventListener('error', ({ message }) =>
      show({ text: `The worker failed: ${message}`, isReward: false, isOver: true }),
    )
    worker.postMessage(order)
  })
}
