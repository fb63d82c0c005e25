import { formatAmount } from '@hailstone/mining-node'
import { lastValue, useBalance, useMiner, useRewards, useToken } from '@hailstone/react'
import { useState } from 'react'

export function App({ requestStake }: { readonly requestStake: () => Promise<boolean> }) {
  const { state, address, isRunning, start, stop } = useMiner()
  const balance = lastValue(useBalance())
  const token = lastValue(useToken())
  const { rows, why } = useRewards()
  const [fault, setFault] = useState('')

  // A value that was not read yet is a dash, never a zero.
  const inCoins = (units: bigint | undefined): string =>
    units === undefined || token == null ? '—' : `${formatAmount(units, token)} ${token.symbol}`

  async function toggle(): Promise<void> {
    setFault('')
    try {
      if (isRunning) return await stop()
      await start()
      // Mining waits until the account has a stake, which local networks give away.
      if (!(await requestStake()))
        setFault('No test coins: the faucet is empty, or has served this address a moment ago.')
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }

  return (
    <>
      <h1>Miner</h1>
      <dl>
        <dt>Address</dt>
        <dd>{address}</dd>
        <dt>Balance</dt>
        <dd>
          <output>{inCoins(balance?.amount)}</output>
        </dd>
        <dt>State</dt>
        <dd>
          <output>{state.why === '' ? state.status : state.why}</output>
        </dd>
      </dl>
      <button type="button" onClick={() => void toggle()}>
        {isRunning ? 'Stop mining' : 'Start mining'}
      </button>
      <p role="alert">{fault}</p>
      <h2>Rewards</h2>
      <p>{why}</p>
      <ol aria-live="polite">
        {rows.map(({ index, amount, timeMs }) => (
          <li key={index}>{`${inCoins(amount)} at ${new Date(timeMs).toLocaleTimeString()}`}</li>
        ))}
      </ol>
    </>
  )
}
