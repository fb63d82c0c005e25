import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

export type CuttingProxy = {
  readonly apiUrl: string
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

export type Cut = {
  /** Which stream is counted. */
  readonly direction: 'request' | 'answer'
  /** Bytes that pass before both sides are reset. */
  readonly afterBytes: number
}

/** Forwards TCP to an API and resets the first connection in the middle; later ones are refused. */
export async function cuttingProxy(apiUrl: string, { direction, afterBytes }: Cut): Promise<CuttingProxy> {
  const target = new URL(apiUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = createConnection({ host: target.hostname, port: Number(target.port) })
    const cut = (): void => {
      near.resetAndDestroy()
      // What has been passed on still arrives; only the answer is lost.
      far.end()
      server.close()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    pass(near, far, direction === 'request' ? { afterBytes, cut } : undefined)
    pass(far, near, direction === 'answer' ? { afterBytes, cut } : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    apiUrl: `http://127.0.0.1:${port}${target.pathname}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function pass(
  from: Socket,
  to: Socket,
  limit: { readonly afterBytes: number; readonly cut: () => void } | undefined,
): void {
  let passed = 0
  from.on('data', (chunk) => {
    if (limit === undefined || passed + chunk.length < limit.afterBytes) {
      passed += chunk.length
      to.write(chunk)
      return
    }
    to.write(chunk.subarray(0, limit.afterBytes - passed))
    limit.cut()
  })
  from.on('close', () => to.end())
}
