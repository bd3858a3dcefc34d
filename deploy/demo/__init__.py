"""`pailu demo`. `story` has the acts in order; `plan` and `hands` make up what is played, by the rules; `client` and
`server` are the other side of HTTP; `show` is the screen."""

from deploy.demo.command import demo

__all__ = ["demo"]
