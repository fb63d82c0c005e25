import '../../style/screen.css'
import {
  directionOf,
  readScreen,
  type Screen,
  type ScreenBlock,
  type ScreenSpan,
} from '@hailstone/brand/runtime'
import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { Redirect } from 'wouter'
import { useApp, useTexts } from '../../app/app-context.ts'
import { type BrandScreen, brandScreens } from '../../brand/brand-screens.ts'
import { useLaterTexts } from '../../i18n/later-texts.ts'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { SkeletonRows } from '../../parts/skeleton.tsx'

/** A screen that the brand wrote, such as news or questions. */
export function BrandScreenView({ name }: { readonly name: string }): ReactNode {
  const { brand } = useApp()
  const { language } = useTexts()
  const screen = brandScreens(brand, language).find((one) => one.name === name)
  if (screen === undefined) return <Redirect to="/more" replace />
  return (
    <Page key={`${name} ${screen.language}`} title={screen.title} language={screen.language} back="/more">
      <Content {...screen} />
    </Page>
  )
}

function Content({ name, language }: BrandScreen): ReactNode {
  const { text } = useTexts()
  const failed = useLaterTexts()
  const [screen, setScreen] = useState<Screen | null>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isOver = false
    const take = (read: Screen | null): void => {
      if (!isOver) setScreen(read)
    }
    setScreen(undefined)
    fetch(`/brand/screens/${name}.${language}.json`)
      .then(async (answer) => (answer.ok ? readScreen(await answer.text()) : null))
      .then(take, () => take(null))
    return () => {
      isOver = true
    }
  }, [name, language, attempt])
  if (screen === undefined) return <SkeletonRows on="files" count={5} />
  if (screen === null) {
    return (
      <Notice
        tone="danger"
        role="alert"
        action={
          <button type="button" className="button button-small" onClick={() => setAttempt(attempt + 1)}>
            {text('common.retry')}
          </button>
        }
      >
        {failed?.('screen.failed')}
      </Notice>
    )
  }
  return (
    <article className="card brand-screen" lang={language} dir={directionOf(language)}>
      {screen.blocks.map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </article>
  )
}

function Block({ block }: { readonly block: ScreenBlock }): ReactNode {
  if (block.kind === 'paragraph') return <p>{spans(block.text)}</p>
  if (block.kind === 'heading')
    return block.level === 2 ? <h2>{spans(block.text)}</h2> : <h3>{spans(block.text)}</h3>
  const items = block.items.map((item, index) => <li key={index}>{spans(item)}</li>)
  return block.first === null ? <ul>{items}</ul> : <ol start={block.first}>{items}</ol>
}

const spans = (all: readonly ScreenSpan[]): ReactNode =>
  partsOf(all).map((part, index) => {
    const [{ href }] = part
    const words = part.map((span, at) => <Words key={at} span={span} />)
    return href === undefined ? (
      <Fragment key={index}>{words}</Fragment>
    ) : (
      <Outside key={index} href={href} words={words} />
    )
  })

/** Groups neighbours of one address, which are the styles within one link. */
function partsOf(all: readonly ScreenSpan[]): readonly (readonly [ScreenSpan, ...ScreenSpan[]])[] {
  const parts: [ScreenSpan, ...ScreenSpan[]][] = []
  for (const span of all) {
    const last = parts.at(-1)
    if (last !== undefined && last[0].href === span.href) last.push(span)
    else parts.push([span])
  }
  return parts
}

function Words({ span: { text, isStrong, isEmphasised } }: { readonly span: ScreenSpan }): ReactNode {
  const emphasised = isEmphasised ? <em>{text}</em> : text
  return isStrong ? <strong>{emphasised}</strong> : emphasised
}

/** A link out of the app, with the host that it leads to, whatever its words say. */
function Outside({ href, words }: { readonly href: string; readonly words: ReactNode }): ReactNode {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {words} <Icon name="send" />
      <bdi className="muted small">{new URL(href).host}</bdi>
    </a>
  )
}
