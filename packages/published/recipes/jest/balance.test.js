// CommonJS. The packages are modules, so they are imported with `import()`.
let network
let client
let address

beforeAll(async () => {
  const { startLocalNetwork } = await import('@hailstone/local-network')
  const { createClient } = await import('@hailstone/client')
  network = await startLocalNetwork({ blockTimeMs: 500 })
  client = createClient({ apiUrl: network.apiUrl })
  address = network.accounts.developers[0].address
}, 120_000)

afterAll(async () => {
  await client?.close()
  await network?.stop()
})

test('a development account has its balance', async () => {
  expect(await client.getBalance({ address })).toMatchObject({ amount: 100_000n * 10n ** 10n })
})
