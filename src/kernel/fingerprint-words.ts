/**
 * 256 words for eight bits each: of the English list of BIP-39, every word of four to six letters that nobody minds on a screen,
 * evenly spread. No two share their first four letters. Never to be changed: both sides of a comparison must have the same list.
 */
export const fingerprintWords: readonly string[] = `
able absurd actor admit again alert alpha amused answer arch arrive assume august awake badge barely beach
begin bench bind blame blouse body border bounce breeze bring bubble bullet burst cable camera canoe carpet
castle cause chair chat chest churn clap clever clip clown coast column copper cost cover cram cream crop
crunch cycle dawn decide demand depth desk dice divide donate dove dress drive dust early easy either embody
enact enough entire error evoke excuse expect face false feed fiber filter fire flame flight fluid follow
forget frame frost funny game gather gentle give glide glue gossip grain grid guard hair hard health help hire
home horror huge hurdle ignore income inject insect iron jaguar join junior kick kiwi ladder large layer left
length life link live logic loyal luxury main manual marine math meat member merry mimic misery moment more
movie music naive near never noble note object odor omit opera order output oyster pair parade patch peace
permit picnic pink planet pluck polar post prefer profit pulse purse quote rail ranch rather rebel reform
relief renew report reveal rich ring river roof rough runway salmon sand scene screen second senior seven
shield shoe shrug silk siren skill sleep slow smoke snow soft soon source speed spider spoon spring stamp
steel still street subway summer surge sweet sword tail task team test theory three tiger tissue token topic
tower travel tribe truck tumble twelve type unfold update urban vacant vapor venue video vital volume walk
waste weasel wheel wife wing wise wool worth yellow
`
  .trim()
  .split(/\s+/);
