import {
  createClient,
  formatAmount,
  parseAddress,
  parseAmount,
  walletFromPrivateKey,
} from '@hailstone/client'

export async function pay(apiUrl: string, privateKey: string, receiver: string): Promise<string> {
  const client = createClient({ apiUrl })
  try {
    const wallet = walletFromPrivateKey(privateKey)
    const [from, to] = [wallet.address, parseAddress(receiver)]
    const amount = parseAmount('25', { decimals: 10 })
    const { fields, token, warnings } = await client.prepareTransaction({ from, to, amount })
    if (warnings.length > 0) console.warn(warnings)
    const { hash } = await client.sendSignedTransaction({ transaction: wallet.signTransaction(fields) })
    const { status, netAmount = 0n } = await client.waitForTransaction({ hash })
    return `${status}: ${formatAmount(netAmount, token)} ${token.symbol} arrived`
  } finally {
    await client.close()
  }
}
