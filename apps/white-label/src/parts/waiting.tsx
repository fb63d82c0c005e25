import { type ReactNode, useEffect, useState } from 'react'

/** Time after which nobody believes in an answer any more, in ms. */
const LATE_MS = 20_000

/** Shows the placeholder of something that is being read; after a while a sentence and a way on in its place. */
export function Waiting({ children }: { readonly children: ReactNode }): ReactNode {
  const [late, setLate] = useState(children)
  useEffect(() => {
    const timer = setTimeout(
      () =>
        import('./late-notice.tsx').then(
          ({ LateNotice }) => setLate(<LateNotice />),
          () => undefined,
        ),
      LATE_MS,
    )
    return () => clearTimeout(timer)
  }, [])
  return late
}
