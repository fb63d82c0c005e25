import type { ReactNode } from 'react'
import { useApp, useEngine, useTexts } from '../app/app-context.ts'
import { useMoney } from '../app/use-money.ts'
import type { WorkEntry } from '../engine/work-log.ts'
import { useViewTexts } from '../i18n/later-texts.ts'
import type { TextKey } from '../i18n/texts.ts'
import { Page } from '../parts/page.tsx'
import { ShortHash } from '../parts/short-hash.tsx'
import { countText } from '../text/amount-text.ts'
import { durationText, momentText } from '../text/time-text.ts'

const pauseKeys: Readonly<Record<string, TextKey>> = {
  consent: 'mine.pause.consent',
  offline: 'mine.pause.offline',
  metered: 'mine.pause.metered',
  notCharging: 'mine.pause.notCharging',
  battery: 'mine.pause.battery',
  quietHours: 'mine.pause.quietHours',
  ...(APP_HAS_SERVICE ? { heat: 'mine.pause.heat', held: 'mine.pause.held' } : {}),
}

/** The work log, newest first, with hashes as evidence. */
export function LogView(): ReactNode {
  const engine = useEngine()
  const text = useViewTexts('log.')
  const log = engine?.log ?? []
  return (
    <Page title={text('log.title')} back="/">
      <p className="muted">{text('log.text')}</p>
      {log.length === 0 ? (
        <p className="empty">{text('log.empty')}</p>
      ) : (
        <ol className="rows log">
          {log.map((entry, index) => (
            <LogRow key={`${entry.atMs}-${log.length - index}`} entry={entry} />
          ))}
        </ol>
      )}
    </Page>
  )
}

function LogRow({ entry }: { readonly entry: WorkEntry }): ReactNode {
  const { language } = useTexts()
  return (
    <li className={`row log-${entry.kind}`}>
      <time dateTime={new Date(entry.atMs).toISOString()}>{momentText(entry.atMs, language)}</time>
      <div className="row-main">
        <Sentence entry={entry} />
      </div>
    </li>
  )
}

function Sentence({ entry }: { readonly entry: WorkEntry }): ReactNode {
  const { brand } = useApp()
  const text = useViewTexts('log.')
  const { language } = useTexts()
  const { short } = useMoney()
  switch (entry.kind) {
    case 'published':
      return (
        <>
          {text('log.published')}{' '}
          <ShortHash hash={entry.microblockHash} explorer={brand.network.explorer} kind="microblock" />
          {entry.agent !== null && <span className="muted small"> {text('log.withAgent')}</span>}
        </>
      )
    case 'included':
      return (
        <>
          {text('log.included', { height: countText(entry.height, language) })}{' '}
          <ShortHash hash={entry.microblockHash} explorer={brand.network.explorer} kind="microblock" />
        </>
      )
    case 'rewarded':
      return entry.isThisToken
        ? text(entry.isReferral ? 'log.referralRewarded' : 'log.rewarded', { amount: short(entry.amount) })
        : text('log.otherToken')
    case 'refused':
      return (
        <>
          {text('log.refused')} <ShortHash hash={entry.microblockHash} explorer={null} kind="microblock" />{' '}
          <span className="muted small" lang="en">
            {entry.why}
          </span>
        </>
      )
    case 'disconnected':
      return text('log.disconnected', { time: durationText(entry.delayMs + 999, language) })
    case 'paused':
      return text(pauseKeys[entry.reason] ?? 'mine.state.paused')
    case 'gap':
      return text('log.gap', {
        from: momentText(entry.fromMs, language),
        to: momentText(entry.atMs, language),
      })
    case 'stopped':
      return text(entry.reason === 'duplicateKey' ? 'mine.why.duplicateKey' : 'log.stopped')
    case 'started':
      return text('log.started')
    case 'connected':
      return (
        <>
          {text('log.connected')} <span className="hash muted small">{entry.gateway}</span>
        </>
      )
  }
}
