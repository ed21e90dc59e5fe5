// The type of all views: a component that draws itself from the address.
import type { FunctionComponent } from "preact";
import type { Address } from "../state";

export interface ViewProps {
    address: Address;
}

// A module of views/ exports its component as `default`.
export type View = FunctionComponent<ViewProps>;
