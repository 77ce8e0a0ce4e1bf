import { ApiError } from '#ui/api/api-error.ts'

/** What became of an action on several items, one request for each. */
export interface Outcome<Item, Answer> {
  readonly done: readonly Answer[]
  readonly refused: readonly { readonly item: Item; readonly failure: ApiError }[]
}

/**
 * Does something with each item. An item that is refused does not end it: those before it are done, and those after it
 * may be. Without an answer the others are not asked for either.
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
