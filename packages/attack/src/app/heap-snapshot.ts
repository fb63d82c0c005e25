import type { CDPSession, Page } from 'playwright-core'

type Sent = {
  readonly id: number
  readonly result?: unknown
  readonly method?: string
  readonly params?: unknown
}

const chunkOf = (params: unknown): string => (params as { readonly chunk: string }).chunk

async function ofPage(session: CDPSession): Promise<string> {
  let text = ''
  const add = ({ chunk }: { readonly chunk: string }): void => {
    text += chunk
  }
  session.on('HeapProfiler.addHeapSnapshotChunk', add)
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  session.off('HeapProfiler.addHeapSnapshotChunk', add)
  return text
}

/** Of a worker, whose messages travel inside those of its page. */
function ofWorker(session: CDPSession, sessionId: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const send = (id: number, method: string, params: object): Promise<unknown> =>
      session.send('Target.sendMessageToTarget', {
        sessionId,
        message: JSON.stringify({ id, method, params }),
      })
    session.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
      if (from !== sessionId) return
      const { id, method, params } = JSON.parse(message) as Sent
      if (method === 'HeapProfiler.addHeapSnapshotChunk') text += chunkOf(params)
      if (id === 2) resolve(text)
    })
    void send(1, 'HeapProfiler.enable', {}).then(() =>
      send(2, 'HeapProfiler.takeHeapSnapshot', { reportProgress: false }),
    )
  })
}

/** Everything that the DevTools show of the memory of a page and of its workers, as text; one for each. */
export async function heapSnapshots(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const workers: string[] = []
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') workers.push(sessionId)
  })
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  })
  const snapshots = [await ofPage(session)]
  for (const worker of workers) snapshots.push(await ofWorker(session, worker))
  await session.detach()
  return snapshots
}
