"""The steps of a run by other methods than reverse mode, with the face of core.timeline.Timeline.

timeline_of(run, Method("forward"))  # raises Refused with one sentence where the method cannot be used
"""

from core.timelines.choosing import KINDS, METHODS, Method, timeline_of, worked_out
from core.timelines.walk import ValuesTimeline, Walk

__all__ = ["KINDS", "METHODS", "Method", "ValuesTimeline", "Walk", "timeline_of", "worked_out"]
