import { ApiError } from '#ui/api/api-error.ts'

/** The result of an action on several items, each sent as a separate request. */
export interface Outcome<Item, Answer> {
  readonly done: readonly Answer[]
  readonly refused: readonly { readonly item: Item; readonly failure: ApiError }[]
}

/**
 * Applies an action to each item. A rejected item does not end the series: the items before it are done, and the
 * following ones are tried. If a request has no response, no further request is sent, and the remaining items fail with
 * the same error.
 */
export async function forEachItem<Item, Answer>(
  items: readonly Item[],
  act: (item: Item) => Promise<Answer>,
): Promise<Outcome<Item, Answer>> {
  const done: Answer[] = []
  const refused: { item: Item; failure: ApiError }[] = []
  for (const item of items) {
    const unanswered = refused.find(({ failure }) => failure.unanswered)
    if (unanswered) {
      refused.push({ item, failure: unanswered.failure })
      continue
    }
    try {
      done.push(await act(item))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      refused.push({ item, failure: error })
    }
  }
  return { done, refused }
}
