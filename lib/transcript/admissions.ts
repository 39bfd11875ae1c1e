/**
 * What a final message admits: that something was not checked, could not be, or is not over yet. Such a message claims
 * nothing: saying so is the honest way out of the Stop hook.
 */

/** A way to admit something. */
interface Way {
  readonly source: string;
  /** What stands in whatever it matches, one of each list: most ways are not compiled for most messages. */
  readonly needs: readonly string[];
  /** Whether what stands before and behind a match, up to {@linkcode AROUND} characters, makes it no admission. */
  readonly unless?: (before: string, behind: string) => boolean;
}

/** How far round a match is looked. */
const AROUND = 100;

/** "if something is not working": nothing that is so. */
const isSupposed = (before: string) =>
  /\b(?:if|in case) (?:you|something|anything|it|that|this|any|the|a|they)\b(?:(?!\b(?:i|we|as|because|since)\b)[^.,;:!?])*$/
    .test(before);

/** "no UNVERIFIED items", "nothing is unverified" */
const isDenied = (before: string) =>
  /\b(?:(?:no|zero|0|without|not)(?: more| longer| remaining| other| any)? |(?:nothing|none)(?: of (?:it|this|that|them|these|those|the [a-z]+))?(?: here)?(?: (?:is|was|are|were|be|been|has|have|remains?|stays?|left))* )$/
    .test(before);

/** "no manual testing" */
const isNeedless = (before: string) => /\b(?:no|without)(?: [a-z-]+){0,2} $/.test(before);

/** "unverified users": what programs verify, not what was worked on. */
const isOfProduct = (behind: string) =>
  /^ (?:users?|accounts?|e-?mails?|(?:e-?mail )?address(?:es)?|phones?|members?|customers?|sellers?|visitors?|subscribers?|senders?|authors?|publishers?|domains?|devices?|identit(?:y|ies)|signatures?|tokens?|certificates?|requests?|payloads?|webhooks?|logins?|sign-?ups?|in?puts?)\b/
    .test(behind);

/** "jobs that were not run are retried": which of the things that a program works on. */
const isRestricted = (before: string, behind: string) => {
  const head = /\b([a-z-]+) (?:that|which|who) (?:is|are|was|were|has|have|do|does|did) ?$/.exec(before)?.[1];
  return head !== undefined &&
    !/^(?:tests?|checks?|parts?|paths?|steps?|cases?|things?|flows?|suites?|areas?|code|changes?|items?|ones?|those|pieces?|features?|scenarios?|branch(?:es)?|files?)$/
      .test(head) &&
    /^ (?:[a-z]+ ){0,3}(?:is|are|get|gets|will|now|can|stay|stays)\b/.test(behind);
};

/** "I didn't run into problems", "Do not run it as root" */
const isOtherRun = (before: string, behind: string) =>
  /^ (?:into|out of|across|afoul)\b/.test(behind) || /(?:^|[.;:!] )(?:please )?do(?= ?$)/.test(before);

function waysOf(isTagged: boolean): readonly Way[] {
  const verb =
    "(?:verif(?:y|ied|ying)|test(?:ed|ing)?|r[au]n|exercis(?:ed?|ing)|validat(?:ed?|ing)|executed?|confirm(?:ed)?|checked|tried)";
  const gap =
    "(?:(?:yet|been|be|being|able|to|get|it|this|that|them|these|any|the|even|ever|had|have|a chance|[a-z-]{1,20}ly) ){0,5}";
  // "you don't have to run" says that there is no need.
  const not =
    "(?:\\bnot(?! (?:have|need) to\\b)|n't(?! (?:have|need) to\\b)|\\bnever|\\bcannot|\\bunable|\\bwithout|\\b(?:do|did|does|is|was|were|has|have|had|ca|could)nt)";
  const checking = "(?:verification|verified|verifying|testing|tested|validation|validated)";
  const kind = "(?:a|an|the|some|more|your|to be|manual|further|real|proper|independent|live|full)";
  const checks = "verif|test|run|ran |exercis|validat|execut|confirm|checked|tried";
  const ends = "(?= *(?:[.,;:!)–—-]|$))";
  const person = "\\b(?:i|we)";
  return [
    {
      source: "\\bun(?:verified|tested|validated|proven)\\b",
      needs: ["unverified|untested|unvalidated|unproven"],
      unless: (before, behind) =>
        isDenied(before) || isSupposed(before) || (!isTagged && isOfProduct(behind)),
    },
    {
      source: `${not} ${gap}${verb}\\b`,
      needs: ["not |n't |never |without |unable |nt ", checks],
      unless: (before, behind) =>
        isSupposed(before) || isRestricted(before, behind) || isOtherRun(before, behind),
    },
    { source: `\\bwithout ${gap}running\\b`, needs: ["without", "running"] },
    {
      source:
        `\\b(?:no|zero|0|none of (?:the|my|these|those|its)) tests? (?:(?:was|were|has|have|had|could|been|be) ){0,3}(?:run|executed)\\b`,
      needs: ["no test|zero test|0 test|none of "],
    },
    {
      source:
        `\\b(?:nothing|none of (?:this|it|that|them|these)) (?:(?:here|was|were|is|has|have|been|yet) ){0,3}${verb}\\b`,
      needs: ["nothing |none of ", checks],
    },
    {
      source:
        `\\b(?:pending|awaiting|awaits?|needs?|requires?|lacks?|yet to be|remains to be) (?:${kind} ){0,3}${checking}\\b`,
      needs: ["pending|await|need|require|lack|yet|remains", "verif|test|validat"],
      unless: (before) => isDenied(before) || /(?:n't|\bnot) $/.test(before),
    },
    {
      source: `${not} (?:yet )?been (?:applied|triggered|flashed|deployed)\\b`,
      needs: ["not|n't|never", "been"],
    },
    // Checks that were left out, or are left to somebody.
    {
      source:
        `\\b(?:verification|testing|validation|execution):? (?:(?:is|are|was|were|still|has|have|been) ){0,3}(?:(?:pending|outstanding|missing|skipped|impossible|not possible|not done|up to you|left to you)\\b|(?:needed|required)${ends})`,
      needs: [
        "verification|testing|validation|execution",
        "pending|outstanding|needed|required|missing|skipped|possible|done|up|left",
      ],
      unless: isNeedless,
    },
    {
      source:
        `(?:^|[.;:!(,–—-] ?|\\b(?:the|all|any|my|and|but|integration|manual|runtime|end-to-end|e2e|unit|live|smoke|browser) )(?:tests|checks|e2e):? (?:(?:is|are|was|were|still|have|been|had|to|be|remain) ){0,3}(?:skipped|omitted|left out|deferred|postponed|outstanding|pending|impossible|not possible|up to you|left to you)\\b`,
      needs: ["tests|checks|e2e", "skipped|omitted|left|deferred|postponed|outstanding|pending|possible|up"],
      unless: isNeedless,
    },
    {
      source:
        `\\bno (?:(?:runtime|manual|real|end-to-end|e2e|live|functional|actual|further) )?(?:verification|testing|tests|trial)(?: (?:so far|yet|here|possible|(?:was|were) (?:done|possible)))?(?= *(?:[.;,:!)–—]|$))`,
      needs: ["no ", "verification|testing|tests|trial"],
    },
    {
      source:
        "\\b(?:tests?|testing|verification|verified)(?: status)?:? (?:not\\b|(?:none|nothing)\\b(?! (?:fail|is |are |broke)))|\\bverified: no\\b",
      needs: ["test not|tests not|testing not|verification not|: not|none|nothing|verified: no"],
    },
    {
      source:
        `${person}(?: have|'ve)? (?:ran|run|tested|tried|verified|executed)(?: (?:it|this) with)? nothing\\b|\\b(?:tried|tested|run|checked): nothing\\b|\\bwith nothing but\\b`,
      needs: [" nothing"],
    },
    {
      source:
        "\\b(?:tests?|testing|verification|checks?|validation)(?::| is| are)? (?:to follow|to come|to be (?:done|run|written)|up to you|left to|by you|on your)\\b",
      needs: ["to follow|to come|to be |up to you|left to|by you|on your", "test|verif|check|valid"],
      unless: isNeedless,
    },
    {
      source: "\\b(?:should|must|ought to|be good to|worth) (?:still )?(?:be )?test(?:ed|ing)?\\b",
      needs: ["should|must|ought|be good|worth", "test"],
    },
    {
      source:
        "\\b(?:tests?|test run|testing|suite|verification|test command)(?: (?:was|were|is|are|got|has been|have been))? (?:blocked|killed|cut off|cancelled|aborted|denied|refused|interrupted|timed out)\\b|\\b(?:blocked|killed|prevented|refused|denied|cancelled) (?:the|my|any|all|a) (?:tests?|run|suite|execution|verification)\\b",
      needs: ["blocked|killed|cut off|cancelled|aborted|denied|refused|interrupted|timed out|prevented"],
    },
    {
      source: `\\byou(?:'ll| will|'d| would)? (?:have|need) to (?:[a-z]+ )?(?:test|try|verify|validate)\\b`,
      needs: ["have to |need to ", "test|try|verify|validate"],
      unless: isSupposed,
    },
    {
      source:
        `${person}(?: have|'ve)? (?:skipped|left out|omitted|leave|left) (?:(?:out|the|all|any|your) )*(?:[a-z-]+ )?(?:tests?|testing|run|verification|checks|suite|e2e)\\b`,
      needs: ["skipped|left|omitted|leave", "test|run|verif|checks|suite|e2e"],
    },
    {
      source:
        "\\b(?:there (?:are|is)|has|have) no tests?\\b(?! (?:that|which|left|fail))|\\bno (?:test )?run was\\b",
      needs: ["no test|no run"],
    },
    {
      source:
        "\\b(?:tests?|testing|verification|running (?:it|this|that)) (?:(?:on|in|with|of|against) (?:[a-z-]+ ){1,3})?(?:would|has to|have to|must|is left|are left)\\b",
      needs: ["test|verif|running", "would|has to|have to|must|left"],
    },
    // Checks that were less than the thing needs.
    {
      source:
        "\\ball (?:that )?(?:i|we)(?: have|'ve)? (?:checked|tested|ran|verified|know)\\b|\\bmore than that\\b|, no more[.;]",
      needs: ["all |than that|no more"],
    },
    {
      source:
        `${person}(?: have|'ve)? only (?:checked|tested|ran|run|verified|validated|executed|tried|compiled|linted|type-?checked)\\b`,
      needs: ["only ", `${checks}|compiled|linted`],
    },
    {
      source:
        "(?:\\b(?:was|were|been|but|and)|[.;:!(,–—-]) ?only (?:been )?(?:tested|verified|validated|checked (?:by|with|in|on))\\b",
      needs: ["only", "tested|verified|validated|checked"],
    },
    {
      source:
        "\\bonly (?:[a-z-]+ ){0,3}(?:checks?|tests?|checking|testing|analysis) (?:was|were|has been|have been|could be) (?:run|done|made|possible|executed)\\b",
      needs: ["only", "check|test|analysis"],
    },
    // What the agent could not do, has not got, or does not know.
    {
      source:
        `${person} (?:(?:still|just|simply|also|[a-z]+ly) )?(?:can't|cannot|can not|couldn't|could not|(?:am|was|were) unable to|(?:am|was|were)(?: not|n't) able to) (?!(?:find|see|spot|detect|think of|reproduce) (?:any|anything|a single|another|other|it any)\\b|(?:resist|wait|imagine|recommend|stress|thank)\\b)`,
      needs: ["can't|cannot|can not|couldn't|could not|unable|able to"],
      // A way round it was found.
      unless: (before, behind) => isSupposed(before) || /^[^.;:!?]*, so (?:i|we) /.test(behind),
    },
    {
      source:
        `${person}(?: have| had|'ve)(?: got)? no (?!(?:problem|issue|trouble|doubt|question|objection|concern|more|further|other|complaint|difficult|conflict|error|failure|regression|reason|plan|intention|need|preference|opinion|open)s?)`,
      needs: ["i have no|i had no|i've|we have no|we had no|we've|have got no|had got no"],
    },
    {
      source:
        "\\bthere(?: is| was| are| were|'s) no (?:[a-z\ue000-]+ ){1,4}(?:here|attached|connected|plugged|installed|in (?:this|the|my)|on (?:this|the|my)|available|at hand|to (?:test|try|run|check|verify|look))\\b",
      needs: ["there is no|there was no|there are no|there were no|there's no"],
    },
    {
      source:
        "(?:n't|\\bnot) (?:installed|available|accessible|reachable|up|present|running) (?:here|locally|on (?:this|my)|in (?:this|my))\\b",
      needs: ["installed|available|accessible|reachable|present|running| up ", "n't |not "],
    },
    {
      source:
        `${person} (?:(?:still|really|honestly) )?(?:do not|don't|did not|didn't|have not|haven't) (?:yet )?(?:know|understand|understood|figured out|found out|found|see|get)(?: out)?(?: yet)? (?:why|whether|if|how|what|where|when)\\b`,
      needs: ["know |understand|understood|figured |found |n't see|not see|n't get|not get", "n't |not "],
    },
    {
      source: "\\b(?:i'm|i am|we're|we are) not (?:[a-z]+ )?(?:sure|certain|confident|convinced)\\b",
      needs: ["i'm not|i am not|we're not|we are not"],
      unless: isSupposed,
    },
    {
      source:
        `${person} (?:still )?(?:do not|don't|did not|didn't) have (?:(?:a|an|any|the|access)\\b|(?=[.,;:!]|$))(?! to (?:change|touch|do))`,
      needs: ["n't have|not have"],
      unless: isSupposed,
    },
    {
      source:
        "\\bth(?:is|e) (?:container|sandbox|machine|environment|box|host|vm|runner|image) (?:lacks|has no|has not got|does not have|doesn't have)\\b",
      needs: ["lacks|has no|not have|n't have"],
    },
    {
      source:
        "\\b(?:i'm|i am|we're|we are) (?:still )?(?:blocked|stuck)\\b|\\bi (?:now |still )?need (?:to know|your|you to|a decision)\\b",
      needs: ["blocked|stuck|i need|i now need|i still need"],
    },
    {
      source:
        `${person} (?:do not|don't) (?:have|understand|know)(?=[.,;:!)]|$)|${person} (?:can't|cannot|couldn't)(?=[.,;:!)]|$)`,
      needs: ["n't |not |can't|cannot|couldn't"],
    },
    {
      source:
        "(?:\\bwon't|\\bcan't|\\bcannot|n't|\\bnot) [a-z]+ (?:here|(?:in|on) this (?:sandbox|machine|container|environment|box|host|system))\\b",
      needs: ["here|this "],
    },
    { source: "\\bno time (?:for|to)\\b|(?:n't|\\bnot) had (?:the )?time\\b", needs: [" time"] },
    { source: "\\bno way (?:of|to) (?:verif|test|check|tell|try|run|know)", needs: ["no way to|no way of"] },
    {
      source: "\\b(?:all|best|far as|much as) (?:i|we) (?:can|could)\\b",
      needs: ["all i |best i |far as i |much as i |all we |best we |far as we |much as we "],
    },
    // Who has yet to look at it, and what will show whether it works.
    {
      source:
        "\\b(?:nobody|no one|qa|ci) (?:has|had|have)(?!n't to| not to| to\\b)(?: not|n't| yet)?\\b (?!to\\b)",
      needs: ["nobody|no one|qa ha|ci ha"],
    },
    {
      source:
        "\\b(?:was|were|been|i|we) never (?:been )?(?:triggered|exercised|hit|seen|opened|switched|started|touched|deployed|applied)\\b",
      needs: ["never"],
    },
    {
      source: "(?:\\bwill|'ll) (?:tell|show|see|know|find out) (?:whether|if)\\b|\\bto be seen\\b",
      needs: ["whether|if|to be seen", "will|'ll|to be seen"],
    },
    {
      source:
        "\\b(?:dry-run|dry run|inspection|tried|tested|verified|checked|looked at it)(?: (?:by|on|in|with|against) [^.;:!?]{1,30})? only\\b",
      needs: [" only", "dry|inspection|tried|tested|verified|checked|looked"],
    },
    {
      source:
        "\\b(?:after|until|pending|awaiting|awaits|needs?) your (?:ok|okay|approval|go-ahead|review|sign-off|confirmation|decision|answer|input|certificate|key|api key|credentials|password|token|login|access|help)\\b",
      needs: ["after your|until your|pending your|awaiting your|awaits your|need your|needs your"],
    },
    {
      source:
        `${person} (?:have not|haven't|did not|didn't|never|had not|hadn't) (?:(?:even|yet|actually) ){0,2}(?:start|launch|boot|open|look|see|seen|saw|compile|build|built|load|play|click|use)(?:ed|d)? (?:(?:at|up|through) )?(?:it|this|that|them|anything|any of|the (?:app|server|page|site|program|game|binary|script|service|container|result|output|ui|build))\\b`,
      needs: [
        "have not|haven't|did not|didn't|never|had not|hadn't",
        "start|launch|boot|open|look|see|saw|compil|buil|load|play|click|use",
      ],
    },
    // What is not over yet, said as plainly as what is.
    {
      source:
        "(?:\\b(?:is|are|am|'s|'re|'m) not|\\b(?:is|are)n't|\\bnot) (?:(?:yet|all|quite|fully|entirely) ){0,2}(?:done|complete|completed|finished|started|working)(?: yet)?(?= *(?:[.,;:!)—–-]|$|because|since|and|but))",
      needs: ["not|n't", "done|complete|finished|started|working"],
      unless: isSupposed,
    },
    // "Ours isn't: …"
    {
      source: "\\b(?:is|are|has|have)(?: not|n't)(?: yet)?[.:;!]",
      needs: ["n't.|n't:|n't;|n't!|n't yet| not.| not:| not;| not!|not yet"],
      unless: isSupposed,
    },
    {
      source:
        "(?:\\b(?:could|can) ?not|\\bcan't|\\bcouldn't|\\bunable to|\\bnot able to) (?:finish|complete)\\b",
      needs: ["not|n't|unable", "finish|complete"],
    },
    {
      source:
        "\\bstill (?:fail(?:s|ing)?|broken|missing|pending|in progress|needs?|to (?:do|be)|unfinished|incomplete|unknown|unclear|open|outstanding|required)\\b",
      needs: ["still"],
    },
    {
      source: "\\bwhat(?:(?:'s| is)(?: still)? (?:left|missing|outstanding|open)|(?: still)? remains)\\b",
      needs: ["what is |what's |what remains|what still", "left|missing|outstanding|open|remains"],
    },
    { source: "\\b(?:is|are) (?:up )?next *(?:[.,;!]|$)", needs: ["next"] },
    {
      source:
        "\\b(?:it|this|build|suite|ci|pipeline)(?: is|'s) (?:still |currently |now )?(?:broken|failing|red)\\b",
      needs: ["broken|failing|red"],
    },
    {
      source: "\\btests? (?:still |now )?(?:is failing|are failing|fails?)\\b",
      needs: ["test", "fail"],
      unless: isSupposed,
    },
    {
      source:
        "\\b(?:is|are) (?:still |now |currently )?broken(?=[.,;:!)]|$)|\\b(?:does|do)(?:n't| not) (?:yet )?(?:work|start|boot|compile|build)(?: yet)?(?=[.;:!)]|$)",
      needs: ["broken|n't |not "],
      unless: isSupposed,
    },
    {
      source:
        "(?:^|[.!;] )(?:not [a-z]+(?: yet)?|pending|missing|blocked|broken|still open|to ?do|open questions?|known (?:problem|bug|issue)s?(?!: no)|(?:(?:one|known|1) )?regressions?):",
      needs: [
        "not |pending:|missing:|blocked:|broken:|open:|regression|to do:|todo:|question|problem|bug|issue",
        ":",
      ],
    },
    { source: "\\bno (?:proof\\b|evidence\\b(?! of\\b))", needs: ["no proof|no evidence"] },
    {
      source:
        `${person} failed to\\b|${person} (?:did not|didn't|have not|haven't) managed? |\\b(?:i'm|i am|we're|we are) still [a-z]+ing\\b`,
      needs: ["failed to|manage|still"],
    },
    {
      source:
        "\\b[1-9]\\d* failed, \\d+ passed\\b|\\bpassed,(?: and)? [1-9]\\d* (?:failed|failures?)\\b|\\bshows? (?:[1-9]\\d*|one|two|three|four|five|six|some|several) (?:failures?|errors?)\\b",
      needs: ["passed|show", "fail|error"],
    },
    {
      source: "\\b(?:is|are)(?: still| only| just)* (?:a |an )?(?:stubs?|stubbed|placeholders?)\\b",
      needs: ["stub|placeholder"],
    },
    {
      source:
        "\\b(?:tests?|specs?|suite|ci|jobs?|checks?|build|pipeline) (?:is|are)(?: still| now| currently| all)* (?:red|failing|broken)\\b",
      needs: ["red|failing|broken"],
      unless: isSupposed,
    },
    {
      source:
        "\\b(?:unfortunately|sadly|regrettably)\\b|(?:n't|\\bnot|\\bno longer) [^.;:!?]{1,30}, though\\b|\\blooks? (?:wrong|off|broken)\\b",
      needs: [
        "unfortunately|sadly|regrettably|, though|look wrong|looks wrong|look off|looks off|look broken|looks broken",
      ],
    },
    {
      source:
        "\\b(?:(?:answers|returns|responds with)(?: a| an| http)? 5\\d\\d|exits with(?: code| status)? [1-9]\\d?)(?=[.,;:!)]|$)",
      needs: ["answers|returns|responds|exits", " 5|exits with"],
    },
    // "However, the docs do not build with it"
    {
      source:
        "\\b(?:however|but),? [^.;:!?]{0,40}(?:\\b(?:fails?|breaks|crashes)\\b|(?:n't|\\bnot) (?:work|compile|build|pass|start)\\b)",
      needs: ["however|but", "fail|break|crash|n't|not"],
      unless: isSupposed,
    },
  ];
}

/**
 * Whether a message says of itself that something was not checked, or is not over yet. `plain` as
 * {@linkcode readProse} gives it; `isTagged`: the message has UNVERIFIED in capitals, which is never said of users.
 */
export function admits(plain: string, isTagged: boolean): boolean {
  return waysOf(isTagged).some(({ source, needs, unless }) => {
    if (!needs.every((any) => any.split("|").some((part) => plain.includes(part)))) return false;
    if (!unless) return new RegExp(source).test(plain);
    const ways = new RegExp(source, "g");
    for (let match = ways.exec(plain); match; match = ways.exec(plain)) {
      const { index, 0: { length } } = match;
      const end = index + length;
      if (!unless(plain.slice(Math.max(0, index - AROUND), index), plain.slice(end, end + AROUND))) {
        return true;
      }
      if (length === 0) ways.lastIndex++;
    }
    return false;
  });
}
