import { type Mining, mineOnce } from './mine.ts'

const inWorker = (mining: Mining): Promise<string> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }) => resolve(String(data))
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage(mining)
  })

Object.assign(globalThis, { mineHere: mineOnce, mineInWorker: inWorker })
