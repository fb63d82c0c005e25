// A network of its own, with blocks of two seconds, the receiver of the webhooks, and the bot. Ctrl-C ends all.
import { isNodeError } from '@hailstone/client'
import { startLocalNetwork } from '@hailstone/local-network'
import { settings } from './settings.ts'

const portOf = (url: string): number => Number(new URL(url).port)

const network = await startLocalNetwork({
  blockTimeMs: 2_000,
  apiPort: portOf(settings.apiUrl),
  gatewayPort: portOf(settings.gatewayUrl),
  dataDirectory: `${settings.dataFolder}/network`,
}).catch((error: unknown) => {
  if (!isNodeError(error, 'PORT_IN_USE')) throw error
  console.error(`${error.message} Stop that program, or take other ports:`)
  console.error(
    'HAILSTONE_API=http://127.0.0.1:4510/api/v1 HAILSTONE_GATEWAY=ws://127.0.0.1:4511 npm run dev',
  )
  process.exit(1)
})
console.log(`network      ${network.apiUrl}  (a page shows it: ${new URL('/', network.apiUrl)})`)
const { closeReceiver } = await import('./receiver.ts')
const { closeBot } = await import('./bot.ts')

async function stop(): Promise<void> {
  await closeBot()
  closeReceiver()
  await network.stop()
}
// Not `once`: npm may repeat a Ctrl-C, and the second one would end the process before everything is closed.
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
