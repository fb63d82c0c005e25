import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { useApp, useTexts } from '../../app/app-context.ts'
import type { RemoteClient } from '../../host/mining-host.ts'
import type { TextKey } from '../../i18n/texts.ts'
import { Loading } from '../../parts/loading.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { amountText, countText } from '../../text/amount-text.ts'

type Stats = Awaited<ReturnType<RemoteClient['getStats']>>
type Coin = Awaited<ReturnType<RemoteClient['getNativeToken']>>
type Reading = { readonly stats: Stats; readonly coin: Coin }

/** Figures people ask for, by the operator's names; others are for operators. */
const figures: readonly {
  readonly name: string
  readonly key: TextKey
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

function useReading(): Reading | 'loading' | 'failed' {
  const { host } = useApp()
  const [reading, setReading] = useState<Reading | 'loading' | 'failed'>('loading')
  useEffect(() => {
    const read = async (): Promise<void> => {
      const [stats, coin] = await Promise.all([host.client.getStats({}), host.client.getNativeToken({})])
      setReading({ stats, coin })
    }
    const readOrFail = (): void => void read().catch(() => setReading('failed'))
    readOrFail()
    const timer = setInterval(readOrFail, EVERY_MS)
    return () => clearInterval(timer)
  }, [host])
  return reading
}

/** Whole numbers as they are read aloud, the rest as it came; null for what is no figure. */
function useFigure(): (value: unknown, kind: 'count' | 'coins' | 'seconds', coin: Coin) => string | null {
  const { text, language } = useTexts()
  return (value, kind, coin) => {
    const given = String(value)
    if (!/^\d+(?:\.\d+)?$/.test(given)) return null
    const shown = /^\d+$/.test(given) ? countText(BigInt(given), language) : given
    if (kind === 'seconds') return text('statistics.seconds', { seconds: shown })
    if (kind === 'count') return shown
    if (coin === undefined || !/^\d+$/.test(given)) return null
    const { decimals, symbol } = coin
    const whole = BigInt(given) - (BigInt(given) % 10n ** BigInt(decimals))
    return `${amountText(whole, { language, decimals })} ${symbol}`
  }
}

/** Figures of the network's operator: to look at, not to compute with. */
export function StatisticsView(): ReactNode {
  const { text } = useTexts()
  const reading = useReading()
  const figure = useFigure()
  const rows =
    typeof reading === 'string'
      ? []
      : figures.flatMap(({ name, key, kind }) => {
          const shown = figure(reading.stats[name], kind, reading.coin)
          return shown === null ? [] : [[key, shown] as const]
        })
  return (
    <Page title={text('more.statistics')} back="/more">
      <p className="muted">{text('statistics.text')}</p>
      {reading === 'loading' && <Loading />}
      {reading === 'failed' && <Notice tone="warning">{text('common.apiDown')}</Notice>}
      {typeof reading !== 'string' && rows.length === 0 && (
        <p className="empty">{text('statistics.empty')}</p>
      )}
      {rows.length > 0 && (
        <Card>
          <dl className="facts facts-inline">
            {rows.map(([key, shown]) => (
              <Fragment key={key}>
                <dt>{text(key)}</dt>
                <dd>{shown}</dd>
              </Fragment>
            ))}
          </dl>
        </Card>
      )}
    </Page>
  )
}
