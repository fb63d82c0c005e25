import type { TransportAnswer, TransportRequest } from '@hailstone/client'
import type { Transport } from '../src/real.ts'

type Send = (request: TransportRequest) => Promise<TransportAnswer>

/** Wraps a transport so that a function sees every request, including those to a pinned node. */
export function everyRequest(
  transport: Transport,
  change: (request: TransportRequest, send: Send) => Promise<TransportAnswer>,
): Transport {
  const { pinned } = transport
  return {
    ...transport,
    request: (request) => change(request, transport.request),
    pinned:
      pinned &&
      (() => {
        const node = pinned()
        return { ...node, request: (request) => change(request, node.request) }
      }),
  }
}
