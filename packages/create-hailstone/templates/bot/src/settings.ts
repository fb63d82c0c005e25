// Everything that differs between machines, from the environment. The defaults are those of `npm run dev`.
const { env } = process

export const settings = {
  apiUrl: env.HAILSTONE_API ?? 'http://127.0.0.1:4410/api/v1',
  gatewayUrl: env.HAILSTONE_GATEWAY ?? 'ws://127.0.0.1:4411',
  /** Takes the webhooks. */
  webhookUrl: env.WEBHOOK_URL ?? 'http://127.0.0.1:4430/hailstone',
  /** Shared by sender and receiver: `whsec_` and base64. */
  webhookSecret: env.WEBHOOK_SECRET ?? 'whsec_bG9jYWwgbmV0d29yayBvbmx5',
  healthPort: Number(env.HEALTH_PORT ?? 4440),
  /** Encrypts the key file. */
  password: env.HAILSTONE_PASSWORD ?? 'local network only',
  /** Key, cursor and payments. */
  dataFolder: env.DATA_FOLDER ?? '.data',
} as const

const isLocal = ['127.0.0.1', 'localhost'].includes(new URL(settings.apiUrl).hostname)
for (const name of ['HAILSTONE_PASSWORD', 'WEBHOOK_SECRET'])
  if (!isLocal && env[name] === undefined) throw new Error(`Set ${name}: its default is public.`)
