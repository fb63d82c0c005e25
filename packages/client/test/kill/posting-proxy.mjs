import { createConnection, createServer } from 'node:net'

/**
 * Forwards HTTP to an API over plain TCP, one request at a time, and does to each POST what it is told to.
 *
 * `onPost(body, raw)` gives null for nothing special, or:
 * - `{ cutRequestAt }`: only so many bytes go on, then both sides are reset
 * - `{ cutAnswerAt }`: the request goes on whole, only so many bytes of the answer come back
 * - `{ body }`: this goes on in place of what was posted
 * - `{ answer }`: nothing goes on, this text comes back with status 200
 * - `cut()`: called when it is cut
 * - `also(body)`: called with what was posted, besides
 */
export async function postingProxy(apiUrl, onPost) {
  const target = new URL(apiUrl)
  const sockets = new Set()
  const server = createServer((near) => {
    const far = createConnection({ host: target.hostname, port: Number(target.port) })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    carry(near, far, onPost)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    apiUrl: `http://127.0.0.1:${server.address().port}${target.pathname}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function carry(near, far, onPost) {
  let waiting = Buffer.alloc(0)
  /** Bytes of the answer that may still come back; null for all. */
  let left = null
  let cut = () => undefined
  const end = () => {
    near.resetAndDestroy()
    // What has been passed on still arrives.
    far.end()
    cut()
  }
  near.on('data', (chunk) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let raw = wholeRequest(waiting); raw !== null; raw = wholeRequest(waiting)) {
      waiting = waiting.subarray(raw.length)
      if (raw.subarray(0, 4).toString() !== 'POST') {
        far.write(raw)
        continue
      }
      const fault = onPost(bodyIn(raw), raw)
      fault?.also?.(bodyIn(raw))
      cut = fault?.cut ?? (() => undefined)
      if (fault?.answer !== undefined) near.write(answerOf(fault.answer))
      else if (fault?.cutRequestAt !== undefined && fault.cutRequestAt < raw.length) {
        far.write(raw.subarray(0, fault.cutRequestAt), end)
        return
      } else {
        left = fault?.cutAnswerAt ?? null
        far.write(fault?.body === undefined ? raw : withBody(raw, fault.body))
        // Cut before the first byte of the answer, once the request is sure to have been read.
      }
    }
  })
  far.on('data', (chunk) => {
    if (left === null) return near.write(chunk)
    if (chunk.length < left) {
      left -= chunk.length
      return near.write(chunk)
    }
    if (left > 0) near.write(chunk.subarray(0, left), end)
    else end()
  })
  near.on('close', () => far.end())
  far.on('close', () => near.end())
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** The first request of a buffer, null while it is not complete. */
function wholeRequest(buffer) {
  const head = buffer.indexOf(HEAD_END)
  if (head === -1) return null
  const length = Number(/content-length: *(\d+)/i.exec(buffer.subarray(0, head).toString('latin1'))?.[1] ?? 0)
  const size = head + HEAD_END.length + length
  return buffer.length < size ? null : buffer.subarray(0, size)
}

const bodyIn = (raw) => raw.subarray(raw.indexOf(HEAD_END) + HEAD_END.length).toString('utf8')

function withBody(raw, body) {
  const head = raw.subarray(0, raw.indexOf(HEAD_END)).toString('latin1')
  const length = `content-length: ${Buffer.byteLength(body)}`
  return Buffer.from(`${head.replace(/content-length: *\d+/i, length)}\r\n\r\n${body}`)
}

const answerOf = (text) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
