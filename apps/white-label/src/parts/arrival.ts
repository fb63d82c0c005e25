import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useApp } from '../app/app-context.ts'
import { titleView } from '../app/window-title.ts'

/** True unless another page, such as the partner's preview, has the focus. */
const isOurs = (): boolean => window.parent === window || document.hasFocus()

/**
 * Sets the title of the window. On arrival, scrolls to the top and focuses the heading.
 *
 * The focus moves in the same frame as the content, so that the next key press goes to the new view. A heading that
 * only changes its text, for example with the language, does not take the focus.
 *
 * @param title heading in the language of the app
 * @returns ref for the heading
 */
export function useArrival(title: string): RefObject<HTMLHeadingElement | null> {
  const { brand } = useApp()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
    if (isOurs()) heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    titleView(`${title} – ${brand.app.name}`)
  }, [title, brand])
  return heading
}
