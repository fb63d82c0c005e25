import { Component, type ComponentType, lazy, type ReactNode } from 'react'
import { useTexts } from '../app/app-context.ts'
import { Notice } from './notice.tsx'
import { Page } from './page.tsx'

type Failed = { readonly onAgain: () => void }

/**
 * Returns a component whose code is loaded on first use. If that fails, or if the component throws, another one stands
 * in its place and offers to try again, as it does by itself once the device is online again; the rest of the page goes
 * on.
 *
 * @param Failed shown in its place; by default a whole view
 */
export const loaded = <Props extends object, Name extends string>(
  load: () => Promise<{ readonly [N in Name]: (props: Props) => ReactNode }>,
  name: Name,
  Failed: (props: Failed) => ReactNode = FailedView,
): ComponentType<Props> => {
  // A failed one would stay failed.
  const begin = () => lazy<(props: Props) => ReactNode>(async () => ({ default: (await load())[name] }))
  let Part = begin()
  return class extends Component<Props, { readonly fault: string | null }> {
    static getDerivedStateFromError = (error: unknown) => {
      Part = begin()
      return { fault: String(error) }
    }
    override state = { fault: null }
    again = (): void => {
      renewStyles(String(this.state.fault))
      this.setState({ fault: null })
    }
    override componentDidCatch() {
      addEventListener('online', this.again, { once: true })
    }
    override render() {
      return this.state.fault !== null ? <Failed onAgain={this.again} /> : <Part {...this.props} />
    }
  }
}

/**
 * Requests a style sheet again that failed to load. Vite's loader finds its link in the page, takes it for loaded and
 * does not request it a second time.
 */
function renewStyles(error: string): void {
  const path = / CSS for (\S+)/.exec(error)?.[1]
  const link = path && document.querySelector(`link[href$="${path}"]`)
  if (link) link.replaceWith(link.cloneNode())
}

/** Stands for a view, or for a step of the first run. Its heading takes the focus. */
function FailedView({ onAgain }: Failed): ReactNode {
  const { text } = useTexts()
  return (
    <Page title={text('late.failed')}>
      <div className="actions">
        <button type="button" className="button button-primary" onClick={onAgain}>
          {text('common.retry')}
        </button>
        <button type="button" className="button" onClick={() => location.reload()}>
          {text('late.again')}
        </button>
      </div>
    </Page>
  )
}

/** Stands for a part of a view. */
export function FailedPart({ onAgain }: Failed): ReactNode {
  const { text } = useTexts()
  return (
    <Notice
      tone="warning"
      role="alert"
      action={
        <button type="button" className="button button-small" onClick={onAgain}>
          {text('common.retry')}
        </button>
      }
    >
      {text('late.failed')}
    </Notice>
  )
}

/** Stands for what nobody misses. */
export const NothingInstead = (): ReactNode => null
