import { type AddressInfo, createServer, type Socket } from 'node:net'

export type MailServer = AsyncDisposable & {
  readonly url: string
  readonly taken: readonly { readonly to: readonly string[]; readonly text: string }[]
}

/** Starts a mail server that refuses so many receivers for now, and keeps what it took. */
export async function startMailServer(refusals: number): Promise<MailServer> {
  const taken: MailServer['taken'][number][] = []
  let left = refusals
  function converse(socket: Socket): void {
    let [buffer, isData, to]: [string, boolean, string[]] = ['', false, []]
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    const answer = (line: string): void => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'RCPT') to.push(line)
      if (verb === 'DATA') isData = true
      if (verb === 'RCPT' && left > 0) {
        left--
        say('451 <b>later</b>')
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
          say('250 taken')
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
    taken,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
