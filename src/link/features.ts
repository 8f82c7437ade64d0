/** What HELLO and READY announce beside the version of the protocol (docs/internals/link-protocol.md). */

/** Entry of `features`: the sender knows COMMAND, PROGRESS and RESULT. They are used on a link only when both sides announced it. */
export const OPERATIONS_FEATURE = 'operations';
/**
 * Entry of `features`: a request that the relay has reset is answered with END once its engine has stopped. Only on a link where both
 * sides announced it.
 */
export const CANCEL_CONFIRMATION_FEATURE = 'cancel-confirmation';
/** Entry of `features`: the node's installs take `load`. A node without it would install, report success and load nothing. */
export const INSTALL_AND_LOAD_FEATURE = 'install-and-load';
/**
 * Entry of `features`: the node keeps links to several replicas of its relay. Only on a link where both sides announced it the relay names
 * itself and the others, and sends REPLICAS.
 */
export const SEVERAL_LINKS_FEATURE = 'several-links';
/**
 * Entry of `features`: a short JSON answer may come as one WHOLE frame, and the ACK of its request with it. Only on a link where both sides
 * announced it.
 */
export const WHOLE_ANSWERS_FEATURE = 'whole-answers';
/** Entry of `features`, of a link between two replicas: OPEN names the node, and REJECT may say `stale`. */
export const HOP_FEATURE = 'hop';
