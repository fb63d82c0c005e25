/**
 * Wraps a callback of the program: the function that is returned never throws, and nothing waits for it. What the
 * callback throws, or rejects with, goes to the report, which may fail as well.
 */
export const guarded =
  <Given extends readonly unknown[]>(
    callback: ((...given: Given) => unknown) | undefined,
    report?: (cause: unknown) => unknown,
  ): ((...given: Given) => void) =>
  async (...given) => {
    try {
      await callback?.(...given)
    } catch (cause) {
      if (report) guarded(report)(cause)
    }
  }
