import type * as client from '@hailstone/client'
import type * as mnemonic from '@hailstone/client/mnemonic'
import type * as query from '@hailstone/client/query'
import type * as runtime from '@hailstone/runtime'
import type * as runtimeNode from '@hailstone/runtime/node'
import type * as webhook from '@hailstone/runtime/webhook'
import type * as bridge from '../src/bridge/index.ts'
import type * as events from '../src/events/index.ts'
import type * as fleet from '../src/fleet/index.ts'
import type * as health from '../src/health/index.ts'
import type * as leader from '../src/leader/node.ts'
import type * as node from '../src/node.ts'
import type * as signer from '../src/signer/index.ts'
import type * as watch from '../src/watch/index.ts'

type Plain = string | number | bigint | boolean | symbol | null | undefined | Date | URL | ArrayBufferView
/** What the library made itself, or the platform: their own callbacks are walked where they are passed in. */
type Made = client.ClientCore | AbortSignal | client.Clock

/** True for a function, and for what has one in it. */
type HasCall<T, Depth extends unknown[] = []> = Depth['length'] extends 3
  ? false
  : unknown extends T
    ? false
    : T extends Plain | Made
      ? false
      : T extends (...given: never[]) => unknown
        ? true
        : T extends readonly (infer Each)[]
          ? HasCall<Each, [...Depth, 0]>
          : T extends object
            ? true extends { [K in keyof T]-?: HasCall<NonNullable<T[K]>, [...Depth, 0]> }[keyof T]
              ? true
              : false
            : false

/** Names of the members of a parameter that are callbacks or have some, or its place where it is one itself. */
type NamesIn<T, Place> = T extends Plain | Made | Iterable<unknown>
  ? never
  : T extends (...given: never[]) => unknown
    ? Place
    : T extends object
      ? { [K in keyof T]-?: true extends HasCall<NonNullable<T[K]>> ? K : never }[keyof T]
      : never

type NamesOf<Given> = Given extends readonly unknown[]
  ? { [I in keyof Given]-?: NamesIn<NonNullable<Given[I]>, I> }[number]
  : never

type Walked<Module> = {
  [F in keyof Module]: Module[F] extends (...given: infer Given) => unknown
    ? `${F & string}.${NamesOf<Given> & (string | number)}`
    : never
}[keyof Module]

/** Every callback that an exported function of these packages takes, as `function.name`, read from the types. */
export type CallbackName =
  | Walked<typeof client>
  | Walked<typeof mnemonic>
  | Walked<typeof query>
  | Walked<typeof runtime>
  | Walked<typeof runtimeNode>
  | Walked<typeof webhook>
  | Walked<typeof node>
  | Walked<typeof bridge>
  | Walked<typeof events>
  | Walked<typeof fleet>
  | Walked<typeof health>
  | Walked<typeof leader>
  | Walked<typeof signer>
  | Walked<typeof watch>
