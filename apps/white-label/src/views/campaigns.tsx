import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { useApp, useTexts } from '../app/app-context.ts'
import { campaignLink, campaignName } from '../app/campaign-name.ts'
import { type CampaignSum, campaignSums, type InvitedMiner } from '../app/invited-miners.ts'
import { withCampaign, withoutCampaign } from '../app/own-campaigns.ts'
import { useCampaigns } from '../app/use-campaigns.ts'
import type { LaterKey } from '../i18n/later-texts.ts'
import type { TextOf } from '../i18n/make-texts.ts'
import { Amount } from '../parts/amount.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Field } from '../parts/field.tsx'
import { Card } from '../parts/page.tsx'
import { Sheet } from '../parts/sheet.tsx'

const MAX_CAMPAIGNS = 12

type Words = { readonly later: TextOf<LaterKey> }

/** Campaigns of this account with their links and sums, and a form for another one. */
export function Campaigns({
  miners,
  link,
  later,
}: Words & { readonly miners: readonly InvitedMiner[]; readonly link: string }): ReactNode {
  const { announce } = useApp()
  const { text } = useTexts()
  const { own, set } = useCampaigns()
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [leaving, setLeaving] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)

  function add(event: FormEvent): void {
    event.preventDefault()
    const wanted = campaignName(name)
    if (wanted === null) setFault(later('campaign.rule'))
    else if (own.names.length >= MAX_CAMPAIGNS) setFault(later('campaign.full', { most: MAX_CAMPAIGNS }))
    else {
      set(withCampaign(own, wanted))
      setName('')
    }
  }

  function remove(gone: string): void {
    set(withoutCampaign(own, gone))
    setLeaving(null)
    announce(later('campaign.removed', { name: gone }))
  }

  return (
    <Card title={later('campaign.title')}>
      <p className="muted">{later('campaign.text')}</p>
      <ul className="plain invited" ref={list} tabIndex={-1} aria-label={later('campaign.title')}>
        {campaignSums(miners, own).map((sum) => (
          <Campaign
            key={sum.name}
            sum={sum}
            link={link}
            later={later}
            onRemove={() => setLeaving(sum.name)}
          />
        ))}
      </ul>
      <Sheet
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title={later('campaign.removeAsk', { name: leaving ?? '' })}
        instead={list}
      >
        <p>{later('campaign.removeText')}</p>
        <div className="actions">
          <button
            type="button"
            className="button button-danger"
            onClick={() => leaving !== null && remove(leaving)}
          >
            {later('campaign.remove')}
          </button>
          <button type="button" className="button" onClick={() => setLeaving(null)}>
            {text('common.cancel')}
          </button>
        </div>
      </Sheet>
      <form className="form" onSubmit={add}>
        <Field
          label={later('campaign.name')}
          help={later('campaign.rule')}
          fault={fault}
          value={name}
          onInput={({ currentTarget }) => {
            setName(currentTarget.value.trim())
            setFault(null)
          }}
        />
        <button type="submit" className="button">
          {later('campaign.make')}
        </button>
      </form>
    </Card>
  )
}

function Campaign({
  sum,
  link,
  later,
  onRemove,
}: Words & {
  readonly sum: CampaignSum
  readonly link: string
  readonly onRemove: () => void
}): ReactNode {
  const id = useId()
  const [which, what] = [`${id}-which`, `${id}-what`]
  const { name, units, miners } = sum
  return (
    <li data-campaign={name}>
      <div className="invited-head">
        <strong id={which}>{name}</strong>
        <Amount units={units} />
      </div>
      <p className="muted small">{later('campaign.miners', { miners })}</p>
      <div className="actions actions-row">
        <CopyButton value={campaignLink(link, name)} label={later('campaign.copy')} subject={which} />
        <button
          type="button"
          id={what}
          aria-labelledby={`${what} ${which}`}
          className="button button-quiet"
          onClick={onRemove}
        >
          {later('campaign.remove')}
        </button>
      </div>
    </li>
  )
}
