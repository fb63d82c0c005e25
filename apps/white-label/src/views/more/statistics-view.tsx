import { useMiner } from '@hailstone/react'
import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import type { RemoteClient } from '../../host/mining-host.ts'
import { type LaterKey, useViewTexts } from '../../i18n/later-texts.ts'
import type { TextKey } from '../../i18n/texts.ts'
import { Fact } from '../../parts/fact.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { amountText, countText, decimalSign } from '../../text/amount-text.ts'

type Stats = Awaited<ReturnType<RemoteClient['getStats']>>
type Coin = Awaited<ReturnType<RemoteClient['getNativeToken']>>
type Reading = { readonly stats: Stats; readonly coin: Coin }

/** Network figures for users, by their wire names. Figures for operators are left out. */
const figures: readonly {
  readonly name: string
  readonly key: TextKey | LaterKey
  readonly kind: 'count' | 'coins' | 'seconds'
}[] = [
  { name: 'height', key: 'network.height', kind: 'count' },
  { name: 'accounts', key: 'statistics.accounts', kind: 'count' },
  { name: 'poa_count', key: 'statistics.miners', kind: 'count' },
  { name: 'block_time_target', key: 'statistics.blockTime', kind: 'seconds' },
  { name: 'tps', key: 'statistics.tps', kind: 'count' },
  { name: 'max_tps', key: 'statistics.maxTps', kind: 'count' },
  { name: 'csup', key: 'statistics.circulating', kind: 'coins' },
  { name: 'tsup', key: 'statistics.supply', kind: 'coins' },
]

const EVERY_MS = 30_000

/** Reads the figures; on failure the last reading stays. */
function useReading(): { readonly reading: Reading | null; readonly isFailed: boolean } {
  const { host } = useApp()
  const { status } = useMiner().api
  const [reading, setReading] = useState<Reading | null>(null)
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    const read = async (): Promise<void> => {
      const [stats, coin] = await Promise.all([host.client.getStats({}), host.client.getNativeToken({})])
      setReading({ stats, coin })
      setFailed(false)
    }
    const readOrFail = (): void => void read().catch(() => setFailed(true))
    readOrFail()
    const timer = setInterval(readOrFail, EVERY_MS)
    return () => clearInterval(timer)
    // Also when the connection comes back.
  }, [host, status])
  return { reading, isFailed }
}

/** Returns a formatter: whole numbers grouped, other values unchanged, null if it is no figure. */
function useFigure(): (value: unknown, kind: 'count' | 'coins' | 'seconds', coin: Coin) => string | null {
  const text = useViewTexts('statistics.')
  const { language } = useTexts()
  return (value, kind, coin) => {
    const given = String(value)
    if (!/^\d+(?:\.\d+)?$/.test(given)) return null
    const shown = /^\d+$/.test(given)
      ? countText(BigInt(given), language)
      : given.replace('.', decimalSign(language))
    if (kind === 'seconds') return text('statistics.seconds', { seconds: shown })
    if (kind === 'count') return shown
    if (coin === undefined || !/^\d+$/.test(given)) return null
    const { decimals, symbol } = coin
    const whole = BigInt(given) - (BigInt(given) % 10n ** BigInt(decimals))
    return `${amountText(whole, { language, decimals })} ${symbol}`
  }
}

/** Network figures, for information only. */
export function StatisticsView(): ReactNode {
  const text = useViewTexts('statistics.')
  const { reading, isFailed } = useReading()
  const figure = useFigure()
  const rows =
    reading === null
      ? []
      : figures.flatMap(({ name, key, kind }) => {
          const shown = figure(reading.stats[name], kind, reading.coin)
          return shown === null ? [] : [[key, shown] as const]
        })
  return (
    <Page title={text('more.statistics')} back="/more">
      <p className="muted">{text('statistics.text')}</p>
      {reading === null && !isFailed && <Loading on="network" />}
      {isFailed && <Notice tone="warning">{text('common.apiDown')}</Notice>}
      {reading !== null && rows.length === 0 && <p className="empty">{text('statistics.empty')}</p>}
      {rows.length > 0 && (
        <Card>
          <dl className="facts facts-inline">
            {rows.map(([key, shown]) => (
              <Fragment key={key}>
                <Fact name={text(key)}>
                  <dd>{shown}</dd>
                </Fact>
              </Fragment>
            ))}
          </dl>
        </Card>
      )}
    </Page>
  )
}
