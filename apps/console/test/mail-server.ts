import { type AddressInfo, createServer, type Socket } from 'node:net'

export type MailServer = AsyncDisposable & {
  readonly url: string
  /** Commands that begin TLS. */
  readonly upgrades: () => number
  readonly taken: readonly { readonly to: readonly string[]; readonly text: string }[]
}

export type MailServerOptions = {
  /** Answer to a receiver that is refused. @default 451, for now */
  readonly refusal?: 451 | 550 | undefined
  /** Resolves when a mail that was taken may be answered. @default at once */
  readonly beforeAnswer?: (() => Promise<unknown>) | undefined
}

/** Starts a mail server that offers TLS without having it, refuses so many receivers, and keeps what it took. */
export async function startMailServer(
  refusals: number,
  { refusal = 451, beforeAnswer = async () => {} }: MailServerOptions = {},
): Promise<MailServer> {
  const taken: MailServer['taken'][number][] = []
  let [left, upgrades] = [refusals, 0]
  const sockets = new Set<Socket>()
  function converse(socket: Socket): void {
    let [buffer, isData, to]: [string, boolean, string[]] = ['', false, []]
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    const answer = (line: string): void => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'RCPT') to.push(line)
      if (verb === 'DATA') isData = true
      if (verb === 'RCPT' && left > 0) {
        left--
        say(`${refusal} <b>no</b>`)
      } else if (verb === 'EHLO') say('250-test\r\n250 STARTTLS')
      else if (verb === 'STAR') {
        upgrades++
        say('454 no certificate')
      } else if (verb === 'DATA') say('354 go on')
      else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else say('250 ok')
    }
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      buffer += part.toString('latin1')
      for (;;) {
        const mark = isData ? '\r\n.\r\n' : '\r\n'
        const end = buffer.indexOf(mark)
        if (end < 0) return
        const text = buffer.slice(0, end)
        buffer = buffer.slice(end + mark.length)
        if (!isData) answer(text)
        else {
          taken.push({ to, text })
          ;[isData, to] = [false, []]
          void beforeAnswer().then(() => say('250 taken'))
        }
      }
    })
    say('220 test')
  }
  const server = createServer(converse)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    upgrades: () => upgrades,
    taken,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
