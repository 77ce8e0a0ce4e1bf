import { Component, type ReactNode } from 'react'
import { Trans } from '@lingui/react/macro'
import { Button } from '../forms/button.tsx'
import { ErrorPanel } from './content-states.tsx'

interface Props {
  /** The path: a new one renders the screen again. */
  place: string
  children: ReactNode
}

interface State {
  broken: { failure: unknown } | null
}

/** Contains the error of a screen that failed or could not be loaded, so that header and menu stay. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { broken: null }

  static getDerivedStateFromError(failure: unknown): State {
    return { broken: { failure } }
  }

  override componentDidUpdate(before: Props): void {
    if (before.place !== this.props.place && this.state.broken !== null) this.setState({ broken: null })
  }

  override render(): ReactNode {
    if (this.state.broken === null) return this.props.children
    return (
      <div className="sheet">
        <ErrorPanel
          level="h1"
          failure={this.state.broken.failure}
          action={
            <Button kind="primary" onClick={() => location.reload()}>
              <Trans>Reload page</Trans>
            </Button>
          }
        />
      </div>
    )
  }
}
